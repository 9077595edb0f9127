"""Marotte edits the motion you have instead of capturing it again."""
