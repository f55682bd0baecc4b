"""From a need to a claim: names, selectors, documents, their text. Pure but for reading templates.

``ask`` is the value everything else takes; ``selectors`` is the only writer of CEL, ``render`` the only
importer of jinja2.
"""
