/**
 * The pages, by the names of their pictures. An address without a slash at its start is below the demo project; `{request}`
 * is the change request that waits in the project `payments`, which has no audiences, properties and webhooks.
 */
export const pages = [
  ['projects', '/o/{org}/settings/projects'],
  ['home', ''],
  ['start', 'start'],
  ['features', 'features'],
  ['features-none', 'features?q=nothing-is-called-like-this'],
  ['new-feature', 'features/new'],
  ['overview', 'features/new-checkout/overview'],
  ['targeting', 'features/new-checkout/manage-feature?env=production'],
  ['variations', 'features/shop-layout/variations'],
  ['feature-history', 'features/new-checkout/audit-log'],
  ['compare', 'features/gift-wrapping/compare'],
  ['code', 'features/new-checkout/code'],
  ['requests', '/o/{org}/p/payments/change-requests'],
  ['request', '/o/{org}/p/payments/features/instant-payouts/change-requests/{request}'],
  ['locked', '/o/{org}/p/payments/features/instant-payouts/manage-feature?env=production'],
  ['promote', 'promote'],
  ['explain', 'explain?env=production'],
  ['audiences', 'audiences'],
  ['audiences-none', '/o/{org}/p/payments/audiences'],
  ['audience', 'audiences/beta-testers'],
  ['variables', 'variables'],
  ['variable', 'variables/new-checkout'],
  ['variable-json', 'variables/shop-layout'],
  ['properties', 'custom-properties'],
  ['properties-none', '/o/{org}/p/payments/custom-properties'],
  ['environments', 'environments'],
  ['environment', 'environments/production'],
  ['webhooks', 'webhooks'],
  ['webhooks-none', '/o/{org}/p/payments/webhooks'],
  ['analytics', 'analytics'],
  ['stale', 'stale'],
  ['history', 'audit-log'],
  ['overrides', '/o/{org}/settings/profile-overrides?project=demo'],
  ['results', 'features/checkout-button/analytics?env=production'],
  ['metrics', 'metrics'],
  ['metric', 'metrics/purchases'],
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
  ['account', '/o/{org}/settings/account'],
  ['missing', 'features/there-is-no-such-feature/overview']
]

const click = (role, name) => (page) => page.getByRole(role, { name }).first().click()
/** Opens the palette. Its code, and that of the shortcut, loads after the page. */
export async function openPalette(page) {
  const field = page.getByRole('combobox', { name: 'Page or feature' })
  for (let isOpen = false; !isOpen; isOpen = await field.isVisible()) await page.keyboard.press('ControlOrMeta+k')
}
const dialog = (page) => page.getByRole('dialog').getByRole('button').last().waitFor()

/** States of pages that an action leads to: its name, the address, the action, and what to wait for. */
export const states = [
  ['menu', 'features', click('button', /^Actions for/), (page) => page.getByRole('menu').waitFor()],
  ['palette', 'features', openPalette, (page) => page.getByRole('option').first().waitFor()],
  ['account-menu', 'features', click('button', /^Account of/), (page) => page.getByRole('menu').waitFor()],
  ['kill', 'features/new-checkout/overview', click('button', /^Kill/), dialog],
  ['protected', 'features/new-checkout/overview', click('switch', 'On in Production'), dialog],
  [
    'draft',
    'features/new-checkout/manage-feature?env=development',
    click('button', 'Add target'),
    // The bar at the bottom is widest with the share of users, which wide windows show beside the targets.
    (page) => page.getByText(/would change$/).waitFor({ state: 'attached' })
  ],
  [
    'changes',
    'features/search-suggestions/audit-log',
    async (page) => {
      const show = page.getByRole('button', { name: 'Show what changed' })
      for (let count = await show.count(); count > 0; count--) await show.first().click()
    },
    (page) => page.getByText('In Staging').nth(1).waitFor()
  ],
  [
    'audience-of-condition',
    'features/gift-wrapping/manage-feature?env=production',
    (page) => page.getByText('Who is in Beta testers').click(),
    (page) => page.getByText(/Matches \d+ of \d+ recent users/).waitFor()
  ],
  ['json', 'features/shop-layout/variations', click('button', /^shop-layout in Wide/), dialog],
  ['new-webhook', 'webhooks', click('button', 'New webhook'), dialog],
  ['new-property', 'custom-properties', click('button', 'New custom property'), dialog]
]

/** The window of a computer, which each page is looked at in light and in dark. */
export const computer = { viewport: { width: 1280, height: 900 } }

/** The windows that each page is looked at in. */
export const looks = [
  ['computer', computer],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }]
]
