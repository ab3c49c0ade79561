import type { Environment } from '@burgee/contract/schemas'

type EnvironmentType = Environment['type']

const titles: Readonly<Record<EnvironmentType, string>> = {
  development: 'Development',
  staging: 'Staging',
  production: 'Production (protected)',
  disaster_recovery: 'Disaster recovery (protected)'
}

/** The types of environments, as options of a field. */
export const environmentTypes = (Object.keys(titles) as EnvironmentType[]).map((value) => ({
  value,
  label: titles[value]
}))

/** The type of an environment in words. Whether it is protected is said beside it. */
export function typeTitle(type: EnvironmentType): string {
  return titles[type].replace(' (protected)', '')
}
