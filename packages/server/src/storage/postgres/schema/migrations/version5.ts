/** Version 5: members that files in a repository describe, and places in code that read variables. */
export const version5 = `
create table burgee_management (id text collate "C" primary key, data json not null);
create unique index burgee_management_unique_project_label on burgee_management ((data->>'_project'), (data->>'label'));
create index burgee_management_by_project on burgee_management ((data->>'_project'));
create table burgee_code_scans (id text collate "C" primary key, data json not null);
create unique index burgee_code_scans_unique_project_repo_branch on burgee_code_scans ((data->>'_project'), (data->>'repo'), (data->>'branch'));
create index burgee_code_scans_by_project on burgee_code_scans ((data->>'_project'));
`
