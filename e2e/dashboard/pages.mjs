/** The pages, by the names of their pictures. An address without a slash at its start is below the demo project. */
export const pages = [
  ['projects', '/o/{org}/settings/projects'],
  ['features', 'features'],
  ['overview', 'features/new-checkout/overview'],
  ['targeting', 'features/new-checkout/manage-feature?env=production'],
  ['results', 'features/checkout-button/analytics?env=production'],
  ['metrics', 'metrics'],
  ['metric', 'metrics/purchases'],
  ['environments', 'environments'],
  ['webhooks', 'webhooks'],
  ['settings', 'settings'],
  ['settings-evaluation', 'settings/evaluation'],
  ['settings-approval', 'settings/approval'],
  ['settings-staleness', 'settings/staleness'],
  ['settings-integrations', 'settings/integrations'],
  ['settings-user-data', 'settings/user-data'],
  ['settings-danger', 'settings/danger'],
  ['organization', '/o/{org}/settings/general'],
  ['integrations', '/o/{org}/settings/integrations'],
  ['audit-log', '/o/{org}/settings/audit-log'],
  ['access-log', '/o/{org}/settings/access-log'],
  ['people', '/o/{org}/settings/people'],
  ['roles', '/o/{org}/settings/roles'],
  ['clients', '/o/{org}/settings/clients'],
  ['account', '/o/{org}/settings/account']
]

/** The windows that each page is looked at in. */
export const looks = [
  ['light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true }]
]
