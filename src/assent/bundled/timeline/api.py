"""What other plugins use to give a resource of theirs a timeline; they name it in `requires`."""

from assent.bundled.timeline.affected import load_systems, spread
from assent.bundled.timeline.keep import (
    append_link,
    append_update,
    check_version,
    forget,
    load_timeline,
    remove_link,
    remove_update,
)
from assent.bundled.timeline.kind import Kind
from assent.bundled.timeline.notify import deliver, get_address, notify, set_address
from assent.bundled.timeline.store.listing import (
    MATCHING,
    VISIBLE,
    where_matching,
    where_visible,
)
from assent.bundled.timeline.tools.card import project_page, show_subject
from assent.bundled.timeline.tools.changing import EditSubject, OpenSubject, SayUpdate
from assent.bundled.timeline.tools.removing import (
    AddLinkTo,
    DeleteSubject,
    DeleteUpdateOf,
    RemoveLinkFrom,
)
from assent.bundled.timeline.values import (
    Address,
    AddressChange,
    AddressRef,
    Draft,
    Edit,
    Guarded,
    Link,
    LinkDraft,
    LinkRef,
    Ref,
    Subject,
    SubjectQuery,
    Timeline,
    Update,
    UpdateDraft,
    UpdateRef,
    UpdateText,
)

__all__ = [
    "MATCHING",
    "VISIBLE",
    "AddLinkTo",
    "Address",
    "AddressChange",
    "AddressRef",
    "DeleteSubject",
    "DeleteUpdateOf",
    "Draft",
    "Edit",
    "EditSubject",
    "Guarded",
    "Kind",
    "Link",
    "LinkDraft",
    "LinkRef",
    "OpenSubject",
    "Ref",
    "RemoveLinkFrom",
    "SayUpdate",
    "Subject",
    "SubjectQuery",
    "Timeline",
    "Update",
    "UpdateDraft",
    "UpdateRef",
    "UpdateText",
    "append_link",
    "append_update",
    "check_version",
    "deliver",
    "forget",
    "get_address",
    "load_systems",
    "load_timeline",
    "notify",
    "project_page",
    "remove_link",
    "remove_update",
    "set_address",
    "show_subject",
    "spread",
    "where_matching",
    "where_visible",
]
