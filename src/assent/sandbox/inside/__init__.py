"""Files that are put into the sandbox beside a script; nothing here is imported by Assent."""
