/** Version 3: ids that one of several servers has used, such as those of confirmations, until they expire. */
export const version3 = `
create table burgee_claims (id text primary key, expires_at timestamptz not null);
create index burgee_claims_by_expiry on burgee_claims (expires_at);
`
