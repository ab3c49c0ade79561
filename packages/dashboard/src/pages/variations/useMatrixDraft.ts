import { revisionOf } from '@burgee/contract/client'
import type { Feature } from '@burgee/contract/schemas'
import { useMemo } from 'react'
import { useSession } from '../../api/session.ts'
import type { DraftCodec } from '../../draft/draftState.ts'
import { useDraft } from '../../draft/useDraft.ts'
import { type Matrix, toMatrix } from './matrix.ts'

const codec: DraftCodec<Matrix, Matrix> = { toDraft: (matrix) => matrix, toApi: (matrix) => matrix }

/** The variations of a feature as they are edited; kept over a reload. */
export function useMatrixDraft(feature: Feature) {
  const { user } = useSession()
  const base = useMemo(() => toMatrix(feature), [feature])
  const address = useMemo(() => ({ user: user.id, resource: `variations/${feature._id}` }), [user.id, feature._id])
  return useDraft({ codec, base, revision: revisionOf(feature) ?? '', address })
}

/** The draft of the variations of a feature. */
export type MatrixDraft = ReturnType<typeof useMatrixDraft>
