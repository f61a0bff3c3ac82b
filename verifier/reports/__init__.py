"""Reports: every rendering of one `verifier.model.Report`; pure functions, nothing prints."""

from verifier.reports.biography import Biography, render_biographies
from verifier.reports.concise import render_concise
from verifier.reports.jsonform import from_json, schema_bytes, to_json, to_plain_json
from verifier.reports.listing import render_claims
from verifier.reports.registry import FORMATS, Format, kind_of, render_html
from verifier.reports.tally import Summary, summarise
from verifier.reports.terminal import render_terminal

__all__ = [
    "FORMATS",
    "Biography",
    "Format",
    "Summary",
    "from_json",
    "kind_of",
    "render_biographies",
    "render_claims",
    "render_concise",
    "render_html",
    "render_terminal",
    "schema_bytes",
    "summarise",
    "to_json",
    "to_plain_json",
]
