/** Version 5: members that files in a repository describe. */
export const version5 = `
create table burgee_management (id text collate "C" primary key, data json not null);
create unique index burgee_management_unique_project_label on burgee_management ((data->>'_project'), (data->>'label'));
create index burgee_management_by_project on burgee_management ((data->>'_project'));
`
