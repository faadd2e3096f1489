"""What is shown: every document of a site, and the folder of them all."""
