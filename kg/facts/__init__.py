"""What the author wrote: files of YAML, read into a class for each kind of fact."""
