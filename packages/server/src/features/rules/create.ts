import type { CreateFeature } from '@burgee/contract'
import type { StoredFeature, StoredProject } from '../../store/resources.ts'
import type { FeatureContext } from './featureContext.ts'
import type { FeatureState } from './featureState.ts'
import { applied } from './update.ts'

/** A new feature as a request says. Of what it does not say, `withFirstVariations` and the project make something. */
export function createFeature(body: CreateFeature, context: FeatureContext): FeatureState {
  const empty = { feature: emptyFeature(body, context), configurations: [], variables: [], freed: [] }
  return applied(empty, body, context)
}

function emptyFeature({ key, name }: CreateFeature, { project, caller, stamps }: FeatureContext): StoredFeature {
  return {
    ...stamps(),
    _project: project._id,
    _createdBy: caller.id,
    source: caller.source,
    key,
    name,
    type: 'release',
    status: 'active',
    settings: { optInEnabled: false, publicName: '', publicDescription: '' },
    sdkVisibility: firstVisibility(project),
    variations: [],
    controlVariation: '',
    tags: [],
    summary: { maintainers: [caller.id], links: [], markdown: '' }
  }
}

/** Where features choose who sees them, servers do at first: what they see, no user can look into. */
function firstVisibility({ settings }: StoredProject): StoredFeature['sdkVisibility'] {
  const isOpen = !settings.sdkTypeVisibility.enabledInFeatureSettings
  return { mobile: isOpen, client: isOpen, server: true }
}
