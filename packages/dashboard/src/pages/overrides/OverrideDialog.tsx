import { isProtected } from '@burgee/contract/words'
import { useId, useState } from 'react'
import { issueAt, useRead, useWrite } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { SelectField, TextField } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/forms/FormDialog.tsx'
import { Loaded } from '../../parts/States.tsx'
import { notify } from '../../parts/Toasts.ts'

interface Props {
  readonly project: string
  readonly onClose: () => void
}

/** Chooses the variation that the person gets of a feature in an environment. */
export function OverrideDialog({ project, onClose }: Props) {
  const list = useId()
  const query = useRead('listFeatures', { params: { project }, query: { perPage: 1000 } })
  const environments = useEnvironments(project).data ?? []
  const features = query.data ?? []
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<{ readonly environment?: string; readonly variation?: string }>({})
  const set = useWrite('updateFeatureOverride')
  const feature = features.find(({ key, name }) => key === typed.trim() || name === typed.trim())
  const environment = environments.find(({ key }) => key === chosen.environment) ?? environments[0]
  const variations = feature?.variations ?? []
  // The new variation is usually the last.
  const variation = variations.find(({ key }) => key === chosen.variation) ?? variations.at(-1)
  const submit = () => {
    if (!feature || !environment || !variation) return
    set.mutate(
      { params: { project, feature: feature.key }, body: { environment: environment.key, variation: variation.key } },
      {
        onSuccess: () => {
          notify({ text: `You now get ${variation.name} of ${feature.name} in ${environment.name}` })
          onClose()
        }
      }
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Override for yourself"
      action="Set override"
      onSubmit={submit}
      isBusy={set.isPending}
      reason={feature ? (variation ? undefined : 'the feature has no variations') : 'choose a feature first'}
      error={set.error}
      fields={['environment', 'variation']}
    >
      <Loaded query={query} title="Features could not be loaded">
        {(rows) =>
          rows.length === 0 ? (
            <p>The project has no features yet.</p>
          ) : (
            <>
              <TextField
                label="Feature"
                value={typed}
                onChange={setTyped}
                list={list}
                autoFocus
                placeholder="Name or key"
                hint={typed !== '' && !feature ? 'No feature has this name or key.' : undefined}
              />
              <datalist id={list}>
                {features.map(({ _id, key, name }) => (
                  <option key={_id} value={key}>
                    {name}
                  </option>
                ))}
              </datalist>
              {environment && (
                <SelectField
                  label="Environment"
                  value={environment.key}
                  options={environments.map((one) => ({
                    value: one.key,
                    label: isProtected(one) ? `${one.name} (protected)` : one.name
                  }))}
                  onChange={(key) => setChosen({ ...chosen, environment: key })}
                  error={issueAt(set.error, 'environment')}
                />
              )}
              {feature && variation && (
                <SelectField
                  label="Variation"
                  value={variation.key}
                  options={variations.map(({ key, name }) => ({ value: key, label: name }))}
                  onChange={(key) => setChosen({ ...chosen, variation: key })}
                  error={issueAt(set.error, 'variation')}
                />
              )}
            </>
          )
        }
      </Loaded>
    </FormDialog>
  )
}
