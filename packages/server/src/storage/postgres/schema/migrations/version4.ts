/** Version 4: ids of users are unique by digest, since an entry of an index has at most 2,704 bytes. */
export const version4 = `
drop index burgee_edge_users_unique_project_user_id;
create unique index burgee_edge_users_unique_project_user_id on burgee_edge_users ((data->>'_project'), (sha256(replace(data->>'user_id', '\\', '\\\\')::bytea)));
drop index burgee_opt_ins_unique_environment_user_id;
create unique index burgee_opt_ins_unique_environment_user_id on burgee_opt_ins ((data->>'_environment'), (sha256(replace(data->>'user_id', '\\', '\\\\')::bytea)));
`
