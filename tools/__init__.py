"""What stands behind the Makefile: set-up, checks, tests, documentation.

Belongs here: scripts that run in a checkout. Does not belong here: anything that Marotte itself imports.
Up to the moment when the environment is made, they use nothing but Python's own library.
"""
