/** A page of the organization. Its address is below `/o/{org}/settings/`. */
interface OrganizationPage {
  readonly to: string
  readonly label: string
}

/** The pages of the organization, in the order of their tabs. */
export const organizationSettings: readonly OrganizationPage[] = [
  { to: 'projects', label: 'Projects' },
  { to: 'people', label: 'People' },
  { to: 'roles', label: 'Roles' },
  { to: 'clients', label: 'Clients' },
  { to: 'general', label: 'General' },
  { to: 'integrations', label: 'Integrations' },
  { to: 'audit-log', label: 'Audit log' },
  { to: 'access-log', label: 'Access log' }
]
