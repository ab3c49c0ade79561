/** The environments that a new project has. */
export const initialEnvironments = [
  { key: 'development', name: 'Development', type: 'development' },
  { key: 'staging', name: 'Staging', type: 'staging' },
  { key: 'production', name: 'Production', type: 'production' }
] as const
