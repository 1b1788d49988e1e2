-- What tenants add to the documentation.
CREATE TABLE documents (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    section text NOT NULL,
    text text NOT NULL,
    written_by uuid NOT NULL,
    written_by_name text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    version bigint NOT NULL DEFAULT 1,
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, slug)
);
-- What stands below one heading, and the words that it is found by.
CREATE TABLE document_passages (
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    number integer NOT NULL,
    heading text NOT NULL,
    text text NOT NULL,
    length double precision NOT NULL,
    PRIMARY KEY (tenant_id, document_id, number),
    FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
CREATE TABLE document_words (
    tenant_id uuid NOT NULL,
    word text NOT NULL,
    document_id uuid NOT NULL,
    number integer NOT NULL,
    weight double precision NOT NULL,
    PRIMARY KEY (tenant_id, word, document_id, number),
    FOREIGN KEY (tenant_id, document_id, number)
        REFERENCES document_passages (tenant_id, document_id, number) ON DELETE CASCADE
);
CREATE INDEX document_words_of ON document_words (tenant_id, document_id);
