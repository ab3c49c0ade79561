import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { Loaded, Skeleton } from '../../components/States.tsx'
import { MatrixEditor } from './MatrixEditor.tsx'

/** The variations of a feature and the values that they give its variables. */
export function VariationsPage() {
  const { project = '', feature: key = '' } = useParams({ strict: false })
  const feature = useRead('getFeature', { params: { project, feature: key } })
  const environments = useEnvironments(project)
  const skeleton = <Skeleton rows={4} height={72} />
  return (
    <Loaded query={feature} title="The feature could not be loaded" skeleton={skeleton}>
      {(loaded) => (
        <Loaded query={environments} title="The environments could not be loaded" skeleton={skeleton}>
          {(rows) => <MatrixEditor key={loaded._id} feature={loaded} environments={rows} />}
        </Loaded>
      )}
    </Loaded>
  )
}
