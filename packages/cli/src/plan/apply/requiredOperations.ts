import type { Section } from '../../document/projectDocument.ts'
import type { Plan, ResourceChange } from '../difference/createPlan.ts'

/** Returns the minimum of operations that applying a plan needs. `updateManagement` claims the members first. */
export function requiredOperations({ changes }: Plan): readonly string[] {
  return [...new Set(['updateManagement', ...changes.map(({ section, action }) => operations[section][action])])]
}

const operations: Readonly<Record<Section, Readonly<Record<ResourceChange['action'], string>>>> = {
  customProperties: ofResource('CustomProperty'),
  audiences: ofResource('Audience'),
  variables: { ...ofResource('Variable'), archive: 'updateVariableStatus' },
  features: { ...ofResource('Feature'), archive: 'updateFeatureStatus' },
  metrics: ofResource('Metric'),
  webhooks: ofResource('Webhook'),
  settings: {
    create: 'updateProjectSettings',
    update: 'updateProjectSettings',
    archive: 'updateProjectSettings',
    delete: 'updateProjectSettings'
  }
}

/** Resources without a status are never archived, so their `archive` is not used. */
function ofResource(name: string) {
  return { create: `create${name}`, update: `update${name}`, archive: `update${name}`, delete: `delete${name}` }
}
