/**
 * Version 1: a table for each collection, with an index for each unique key and each secondary index of
 * `resources/collections.ts`; locks, events and the access log.
 */
export const version1 = `
create table burgee_organizations (id text collate "C" primary key, data json not null);
create unique index burgee_organizations_unique_key on burgee_organizations ((data->>'key'));
create table burgee_users (id text collate "C" primary key, data json not null);
create unique index burgee_users_unique_user_id on burgee_users ((data->>'userId'));
create unique index burgee_users_unique_organization_email on burgee_users ((data->>'_organization'), (data->>'email'));
create index burgee_users_by_provisioned_name on burgee_users ((data->>'provisionedName'));
create index burgee_users_by_external_id on burgee_users ((data->>'externalId'));
create table burgee_clients (id text collate "C" primary key, data json not null);
create unique index burgee_clients_unique_client_id on burgee_clients ((data->>'clientId'));
create table burgee_signing_keys (id text collate "C" primary key, data json not null);
create unique index burgee_signing_keys_unique_kid on burgee_signing_keys ((data->>'kid'));
create table burgee_scim_tokens (id text collate "C" primary key, data json not null);
create unique index burgee_scim_tokens_unique_token_digest on burgee_scim_tokens ((data->>'tokenDigest'));
create unique index burgee_scim_tokens_unique_organization_name on burgee_scim_tokens ((data->>'_organization'), (data->>'name'));
create table burgee_scim_groups (id text collate "C" primary key, data json not null);
create unique index burgee_scim_groups_unique_organization_display_name on burgee_scim_groups ((data->>'_organization'), (data->>'displayName'));
create table burgee_projects (id text collate "C" primary key, data json not null);
create unique index burgee_projects_unique_key on burgee_projects ((data->>'key'));
create table burgee_environments (id text collate "C" primary key, data json not null);
create unique index burgee_environments_unique_project_key on burgee_environments ((data->>'_project'), (data->>'key'));
create index burgee_environments_by_project on burgee_environments ((data->>'_project'));
create table burgee_features (id text collate "C" primary key, data json not null);
create unique index burgee_features_unique_project_key on burgee_features ((data->>'_project'), (data->>'key'));
create index burgee_features_by_project on burgee_features ((data->>'_project'));
create table burgee_configurations (id text collate "C" primary key, data json not null);
create unique index burgee_configurations_unique_feature_environment on burgee_configurations ((data->>'_feature'), (data->>'_environment'));
create index burgee_configurations_by_feature on burgee_configurations ((data->>'_feature'));
create index burgee_configurations_by_environment on burgee_configurations ((data->>'_environment'));
create table burgee_config_versions (id text collate "C" primary key, data json not null);
create table burgee_variables (id text collate "C" primary key, data json not null);
create unique index burgee_variables_unique_project_key on burgee_variables ((data->>'_project'), (data->>'key'));
create index burgee_variables_by_feature on burgee_variables ((data->>'_feature'));
create index burgee_variables_by_project on burgee_variables ((data->>'_project'));
create table burgee_audiences (id text collate "C" primary key, data json not null);
create unique index burgee_audiences_unique_project_key on burgee_audiences ((data->>'_project'), (data->>'key'));
create index burgee_audiences_by_project on burgee_audiences ((data->>'_project'));
create table burgee_custom_properties (id text collate "C" primary key, data json not null);
create unique index burgee_custom_properties_unique_project_key on burgee_custom_properties ((data->>'_project'), (data->>'key'));
create unique index burgee_custom_properties_unique_project_property_key on burgee_custom_properties ((data->>'_project'), (data->>'propertyKey'));
create index burgee_custom_properties_by_project on burgee_custom_properties ((data->>'_project'));
create table burgee_metrics (id text collate "C" primary key, data json not null);
create unique index burgee_metrics_unique_project_key on burgee_metrics ((data->>'_project'), (data->>'key'));
create index burgee_metrics_by_project on burgee_metrics ((data->>'_project'));
create table burgee_metric_associations (id text collate "C" primary key, data json not null);
create unique index burgee_metric_associations_unique_metric_feature on burgee_metric_associations ((data->>'_metric'), (data->>'_feature'));
create index burgee_metric_associations_by_feature on burgee_metric_associations ((data->>'_feature'));
create index burgee_metric_associations_by_project on burgee_metric_associations ((data->>'_project'));
create table burgee_profiles (id text collate "C" primary key, data json not null);
create unique index burgee_profiles_unique_project_idp_user on burgee_profiles ((data->>'_project'), (data->>'idp_user'));
create index burgee_profiles_by_project on burgee_profiles ((data->>'_project'));
create table burgee_overrides (id text collate "C" primary key, data json not null);
create unique index burgee_overrides_unique_feature_environment_idp_user on burgee_overrides ((data->>'_feature'), (data->>'_environment'), (data->>'idp_user'));
create index burgee_overrides_by_feature on burgee_overrides ((data->>'_feature'));
create index burgee_overrides_by_environment on burgee_overrides ((data->>'_environment'));
create index burgee_overrides_by_project on burgee_overrides ((data->>'_project'));
create table burgee_webhooks (id text collate "C" primary key, data json not null);
create index burgee_webhooks_by_project on burgee_webhooks ((data->>'_project'));
create table burgee_outbox (id text collate "C" primary key, data json not null);
create table burgee_deliveries (id text collate "C" primary key, data json not null);
create index burgee_deliveries_by_receiver on burgee_deliveries ((data->>'receiver'));
create index burgee_deliveries_by_project on burgee_deliveries ((data->>'_project'));
create table burgee_observability_environments (id text collate "C" primary key, data json not null);
create unique index burgee_observability_environments_unique_environment_id on burgee_observability_environments ((data->>'_organization'), (data->>'observabilityEnvironmentId'));
create table burgee_issue_trackers (id text collate "C" primary key, data json not null);
create unique index burgee_issue_trackers_unique_tracker_token on burgee_issue_trackers ((data->>'tracker'), (data->>'token'));
create table burgee_issue_links (id text collate "C" primary key, data json not null);
create unique index burgee_issue_links_unique_feature_tracker_issue_id on burgee_issue_links ((data->>'_feature'), (data->>'tracker'), (data->>'issueId'));
create index burgee_issue_links_by_feature on burgee_issue_links ((data->>'_feature'));
create index burgee_issue_links_by_project on burgee_issue_links ((data->>'_project'));
create table burgee_change_requests (id text collate "C" primary key, data json not null);
create index burgee_change_requests_by_feature on burgee_change_requests ((data->>'_feature'));
create index burgee_change_requests_by_project on burgee_change_requests ((data->>'_project'));
create table burgee_audit_entries (id text collate "C" primary key, data json not null);
create index burgee_audit_entries_by_feature on burgee_audit_entries ((data->>'_feature'));
create index burgee_audit_entries_by_project on burgee_audit_entries ((data->>'_project'));
create table burgee_edge_users (id text collate "C" primary key, data json not null);
create unique index burgee_edge_users_unique_project_user_id on burgee_edge_users ((data->>'_project'), (data->>'user_id'));
create table burgee_opt_ins (id text collate "C" primary key, data json not null);
create unique index burgee_opt_ins_unique_environment_user_id on burgee_opt_ins ((data->>'_environment'), (data->>'user_id'));
create table burgee_authorizations (id text collate "C" primary key, data json not null);
create unique index burgee_authorizations_unique_digest on burgee_authorizations ((data->>'digest'));
create index burgee_authorizations_by_grant_id on burgee_authorizations ((data->>'grantId'));
create index burgee_authorizations_by_uid on burgee_authorizations ((data->>'uid'));
create table burgee_revocations (id text collate "C" primary key, data json not null);
create unique index burgee_revocations_unique_subject on burgee_revocations ((data->>'subject'));
create table burgee_upstream_sessions (id text collate "C" primary key, data json not null);
create index burgee_upstream_sessions_by_session_uid on burgee_upstream_sessions ((data->>'sessionUid'));
create index burgee_upstream_sessions_by_sid on burgee_upstream_sessions ((data->>'sid'));
create index burgee_upstream_sessions_by_user_id on burgee_upstream_sessions ((data->>'userId'));
create table burgee_workload_trusts (id text collate "C" primary key, data json not null);
create unique index burgee_workload_trusts_unique_key on burgee_workload_trusts ((data->>'key'));
create index burgee_workload_trusts_by_issuer on burgee_workload_trusts ((data->>'issuer'));
create table burgee_workload_tokens (id text collate "C" primary key, data json not null);
create unique index burgee_workload_tokens_unique_digest on burgee_workload_tokens ((data->>'digest'));
create index burgee_workload_tokens_by_trust on burgee_workload_tokens ((data->>'_trust'));
create table burgee_authenticator_apps (id text collate "C" primary key, data json not null);
create index burgee_authenticator_apps_by_user on burgee_authenticator_apps ((data->>'_user'));
create table burgee_passkeys (id text collate "C" primary key, data json not null);
create unique index burgee_passkeys_unique_credential_id on burgee_passkeys ((data->>'credentialId'));
create index burgee_passkeys_by_user on burgee_passkeys ((data->>'_user'));
create table burgee_recovery_codes (id text collate "C" primary key, data json not null);
create unique index burgee_recovery_codes_unique_user on burgee_recovery_codes ((data->>'_user'));
create table burgee_challenges (id text collate "C" primary key, data json not null);
create unique index burgee_challenges_unique_subject on burgee_challenges ((data->>'subject'));
create index burgee_challenges_by_user on burgee_challenges ((data->>'_user'));

create index burgee_audit_entries_in_order on burgee_audit_entries (coalesce((data->>'position')::bigint, 0), id);

create table burgee_meta (name text primary key, value json not null);
create table burgee_environment_uses (id text collate "C" primary key, data json not null);

create table burgee_locks (name text primary key);
insert into burgee_locks (name) values ('flags'), ('users');

create table burgee_event_entries (
  day date not null,
  id bigint generated always as identity,
  environment text not null,
  at bigint not null,
  entry text not null,
  primary key (day, id)
) partition by range (day);
create index burgee_event_entries_by_environment on burgee_event_entries (environment, day);
create table burgee_event_days (day date primary key, size bigint not null);
create table burgee_event_counts (
  environment text not null,
  hour bigint not null,
  feature text not null,
  variable text not null,
  variation text not null,
  platform text not null,
  sdk_type text not null,
  count bigint not null,
  primary key (environment, hour, feature, variable, variation, platform, sdk_type)
);
create index burgee_event_counts_by_hour on burgee_event_counts (hour);
create table burgee_event_users (
  environment text not null,
  hour bigint not null,
  sdk_type text not null,
  users text not null,
  primary key (environment, hour, sdk_type)
);
create index burgee_event_users_by_hour on burgee_event_users (hour);
create table burgee_event_payloads (digest text primary key, at bigint not null);
create index burgee_event_payloads_by_at on burgee_event_payloads (at);
create table burgee_event_files (name text primary key, content bytea not null);

create table burgee_access_entries (
  date text collate "C" not null,
  id bigint generated always as identity,
  entry json not null,
  primary key (date, id)
);
`
