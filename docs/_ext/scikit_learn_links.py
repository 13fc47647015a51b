"""References to scikit-learn and imbalanced-learn become links, without fetching an inventory."""

from docutils import nodes

SKLEARN = "https://scikit-learn.org/stable"
# Labels of scikit-learn's user guide that docstrings of inherited methods refer to.
LABELS = {
    "accuracy_score": "modules/model_evaluation.html#accuracy-score",
    "metadata_routing": "metadata_routing.html",
}
GENERATED = {
    "sklearn": f"{SKLEARN}/modules/generated",
    "imblearn": "https://imbalanced-learn.org/stable/references/generated",
}


def resolve(app, env, node, content):
    """A link for a reference that Sphinx could not resolve, or None to let it warn."""
    target = node.get("reftarget", "")
    if node.get("reftype") == "ref" and target in LABELS:
        uri = f"{SKLEARN}/{LABELS[target]}"
    elif node.get("refdomain") == "py" and target.split(".")[0] in GENERATED:
        uri = f"{GENERATED[target.split('.')[0]]}/{target}.html"
    else:
        return None
    link = nodes.reference("", "", internal=False, refuri=uri)
    link.append(content)
    return link


def setup(app):
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True}
