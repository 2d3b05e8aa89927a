"""Agreement: how far do clusterings agree, and how far do metrics agree on systems?"""
