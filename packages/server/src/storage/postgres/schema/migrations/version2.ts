/** Version 2: the numbered changes that servers on one database follow, and leases of work that one server does. */
export const version2 = `
alter table burgee_locks add column revision bigint not null default 0;
insert into burgee_locks (name) values ('start');
create table burgee_changes (revision bigint primary key, at timestamptz not null default now(), writes json not null);
create index burgee_changes_by_at on burgee_changes (at);
create index burgee_deliveries_pending on burgee_deliveries ((data->>'status')) where data->>'status' = 'pending';
create table burgee_leases (name text primary key, holder text not null, expires_at timestamptz not null);
`
