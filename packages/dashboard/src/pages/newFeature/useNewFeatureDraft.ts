import type { Environment } from '@burgee/contract/schemas'
import { hashKey } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useSession } from '../../api/session.ts'
import type { DraftCodec } from '../../draft/draftState.ts'
import { dropDraft, loadDraft } from '../../draft/persistence.ts'
import { useDraft } from '../../draft/useDraft.ts'
import type { FeatureForm } from './toBody.ts'

/** The form with the key that is typed; without one, the key follows the name. */
type NewFeature = Omit<FeatureForm, 'key'> & { readonly key?: string }

const codec: DraftCodec<NewFeature, NewFeature> = { toDraft: (form) => form, toApi: (form) => form }

/** The feature that is being entered; kept when the person leaves the page or loads it again. */
export function useNewFeatureDraft(project: string, environments: readonly Environment[]) {
  const { user } = useSession()
  const [base] = useState((): NewFeature => {
    const onIn = environments.filter(({ type }) => type === 'development').map(({ key }) => key)
    return { type: 'release', name: '', valueType: 'Boolean', values: {}, onIn }
  })
  const address = useMemo(() => ({ user: user.id, resource: `new-feature/${project}` }), [user.id, project])
  // Nothing is saved yet, so there is only one revision.
  const draft = useDraft({ codec, base, revision: 'new', address })
  // The person may have returned and entered another feature since the render in which the creation began.
  const drop = () => {
    const kept = loadDraft<NewFeature>(sessionStorage, address)
    if (kept && hashKey([kept.mine]) === hashKey([draft.value])) dropDraft(sessionStorage, address)
  }
  return { ...draft, drop }
}
