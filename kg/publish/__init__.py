"""Publishing: the documents of a site, their formats, and the folder that `kg build` writes."""
