import type { CreateFeature } from '@burgee/contract/schemas'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import { mergeFeatureUpdate } from './applyFeatureUpdate.ts'
import type { FeatureContext } from './model/featureContext.ts'
import type { FeatureState } from './model/featureState.ts'

/**
 * Creates the state of a new feature. The project provides the defaults, except for those of `withDefaultVariations`.
 */
export function newFeature(body: CreateFeature, context: FeatureContext): FeatureState {
  const empty = { feature: emptyFeature(body, context), configurations: [], variables: [], detachedVariables: [] }
  return mergeFeatureUpdate(empty, body, context)
}

function emptyFeature({ key, name }: CreateFeature, { project, caller, recordFields }: FeatureContext): StoredFeature {
  return {
    ...recordFields(),
    _project: project._id,
    _createdBy: caller.id,
    source: caller.source,
    key,
    name,
    type: 'release',
    status: 'active',
    settings: { optInEnabled: false, publicName: '', publicDescription: '' },
    sdkVisibility: initialVisibility(project),
    variations: [],
    controlVariation: '',
    tags: [],
    summary: { maintainers: [caller.id], links: [], markdown: '' }
  }
}

/**
 * In projects where features restrict their visibility, new features are visible to server keys only, which users
 * cannot read.
 */
function initialVisibility({ settings }: StoredProject): StoredFeature['sdkVisibility'] {
  const isOpen = !settings.sdkTypeVisibility.enabledInFeatureSettings
  return { mobile: isOpen, client: isOpen, server: true }
}
