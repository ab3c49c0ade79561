/**
 * Version 6: applied migrations are recorded in another table. The former table gets a version that earlier versions of
 * Burgee do not know, so that they refuse the database, even one that they never opened.
 */
export const version6 = `
create table if not exists burgee_migrations (version int primary key, checksum text not null, applied_at timestamptz not null default now());
insert into burgee_migrations (version, checksum) values (0, ''), (6, '') on conflict do nothing;
`
