"""`kg sync`: compares a site with what services on the web say about its people."""

FOLDER = "data/.sync"
PATH = f"{FOLDER}/notes.json"
