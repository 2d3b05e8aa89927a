"""Score: what does this prediction score?"""
