import type { Feature } from '@burgee/contract/schemas'
import { useRead, useWrite } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { Button } from '../../components/Button.tsx'
import { Banner, describeError } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'

/**
 * Shows that the signed-in person gets a variation regardless of targets, with a button that clears the override. Overrides
 * have no effect where the feature is off.
 */
export function OverrideBanner({ project, feature }: { readonly project: string; readonly feature: Feature }) {
  const params = { project, feature: feature.key }
  const overrides = useRead('getCurrentFeatureOverrides', { params }).data?.overrides ?? []
  const environments = useEnvironments(project).data ?? []
  const clear = useWrite('deleteFeatureOverride', ['getCurrentFeatureOverrides', 'listCurrentOverrides'])
  const restore = useWrite('updateFeatureOverride', ['getCurrentFeatureOverrides', 'listCurrentOverrides'])
  return overrides.map(({ _environment, _variation }) => {
    const environment = environments.find(({ _id }) => _id === _environment)?.name ?? 'an environment'
    const variation = feature.variations.find(({ _id }) => _id === _variation)?.name ?? 'a deleted variation'
    const isOn = feature.configurations.some((one) => one._environment === _environment && one.status === 'active')
    const undo = () =>
      restore.mutate(
        { params, body: { environment: _environment, variation: _variation } },
        { onError: (error) => notify({ text: `Could not undo: ${describeError(error)}` }) }
      )
    const onClear = () =>
      clear.mutate(
        { params, query: { environment: _environment } },
        {
          onSuccess: () => notify({ text: `Cleared the override in ${environment}`, onUndo: undo }),
          onError: (error) => notify({ text: `Not cleared: ${describeError(error)}` })
        }
      )
    return (
      <Banner key={_environment} tone="brand">
        <span>
          {isOn ? 'You get ' : 'You will get '}
          <bdi>{variation}</bdi> in <bdi>{environment}</bdi>, regardless of the targets
          {!isOn && ', when the feature is on there'}.
        </span>
        <Button kind="quiet" onClick={onClear} isBusy={clear.isPending}>
          Clear
        </Button>
      </Banner>
    )
  })
}
