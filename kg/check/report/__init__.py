"""How problems are told: as lines for people, as objects for editors, as SARIF and as annotations
for the places where code is reviewed.
"""
