/**
 * Version 6: a table of applied migrations under another name. The former one gets a version that earlier versions of
 * Burgee do not know, so that they refuse the database, also one that they have never opened.
 */
export const version6 = `
create table if not exists burgee_migrations (version int primary key, checksum text not null, applied_at timestamptz not null default now());
insert into burgee_migrations (version, checksum) values (0, ''), (6, '') on conflict do nothing;
`
