/** The tabs of a feature. Paths are below the feature's address. */
export const tabs: readonly { readonly title: string; readonly path: string }[] = [
  { title: 'Overview', path: 'overview' },
  { title: 'Targeting', path: 'manage-feature' },
  { title: 'Variations', path: 'variations' },
  { title: 'Results', path: 'analytics' },
  { title: 'Compare', path: 'compare' },
  { title: 'History', path: 'audit-log' }
]
