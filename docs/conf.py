"""How Sphinx builds the documentation; `make docs` runs it with warnings as errors."""

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from skmetrics_ext import __version__

project = "skmetrics_ext"
author = "The skmetrics_ext developers"
copyright = author
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "api_pages",
    "formula_pages",
    "math_in_the_page",
    "scikit_learn_links",
]
exclude_patterns = ["_build", "examples/*.rst", "**/GALLERY_HEADER.rst"]
nitpicky = True  # a role that leads nowhere is an error as well
autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# The template of a class shows its methods in full, but for those that are scikit-learn's.
numpydoc_show_class_members = False
templates_path = ["_templates"]
toc_object_entries_show_parents = "hide"
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
suppress_warnings = ["config.cache"]

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "gallery_order.ReadingOrder",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "image_scrapers": ("matplotlib",),
    "capture_repr": (),  # what is printed says enough
    "reset_modules": ("matplotlib",),
    "min_reported_time": 10,
    "reference_url": {"skmetrics_ext": None},
    "doc_module": ("skmetrics_ext",),
    "backreferences_dir": "gallery/backreferences",
    "inspect_global_variables": False,
}
# An example that warns is an example that is wrong, as in the tests.
warnings.filterwarnings("error", module=r"__main__")

html_theme = "pydata_sphinx_theme"
html_math_renderer = "in_the_page"
html_title = f"skmetrics_ext {version}"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "header_links_before_dropdown": 7,
}
