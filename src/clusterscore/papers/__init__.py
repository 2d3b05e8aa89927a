"""The papers, reproduced: every number they print beside ours, one file for each paper."""
