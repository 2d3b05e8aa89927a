"""Compare: how sure is a score, and is one system better than another?"""
