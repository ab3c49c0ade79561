import type { Environment, Feature } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useId, useState } from 'react'
import { issueAt, useRead, useWrite } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { SelectField, TextField } from '../../components/Field.tsx'
import { FormDialog } from '../../components/forms/FormDialog.tsx'
import { Loaded } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'

interface Props {
  readonly project: string
  readonly onClose: () => void
}

/** Chooses the variation that the person gets of a feature in an environment. */
export function OverrideDialog({ project, onClose }: Props) {
  const query = useRead('listFeatures', { params: { project }, query: { perPage: 1000 } })
  const environments = useEnvironments(project).data ?? []
  const features = query.data ?? []
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<{ readonly environment?: string; readonly variation?: string }>({})
  const feature = findFeature(features, typed)
  const environment = environments.find(({ key }) => key === chosen.environment) ?? environments[0]
  const variations = feature?.variations ?? []
  // The new variation is usually the last.
  const variation = variations.find(({ key }) => key === chosen.variation) ?? variations.at(-1)
  const isOff = environment !== undefined && feature !== undefined && isOffIn(feature, environment)
  const { set, submit } = useOverride({ project, feature, environment, variation, isOff, onClose })
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
              <FeatureField features={features} value={typed} onChange={setTyped} />
              {environment && (
                <SelectField
                  label="Environment"
                  value={environment.key}
                  options={environments.map((one) => ({
                    value: one.key,
                    label: isProtected(one) ? `${one.name} (protected)` : one.name
                  }))}
                  onChange={(key) => setChosen({ ...chosen, environment: key })}
                  hint={isOff ? 'The feature is off there. The override has an effect when it is on.' : undefined}
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

interface OverrideChoice extends Props {
  readonly feature: Feature | undefined
  readonly environment: Environment | undefined
  readonly variation: Feature['variations'][number] | undefined
  readonly isOff: boolean
}

/** Sets the override that is chosen, says what the person gets then, and closes the dialog. */
function useOverride({ project, feature, environment, variation, isOff, onClose }: OverrideChoice) {
  const set = useWrite('updateFeatureOverride')
  const submit = () => {
    if (!feature || !environment || !variation) return
    set.mutate(
      { params: { project, feature: feature.key }, body: { environment: environment.key, variation: variation.key } },
      {
        onSuccess: () => {
          const effect = isOff ? 'You will get' : 'You now get'
          const when = isOff ? ', when the feature is on there' : ''
          notify({ text: `${effect} ${variation.name} of ${feature.name} in ${environment.name}${when}` })
          onClose()
        }
      }
    )
  }
  return { set, submit }
}

interface FeatureFieldProps {
  readonly features: readonly Feature[]
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A feature by its name or key, with suggestions. */
function FeatureField({ features, value, onChange }: FeatureFieldProps) {
  const list = useId()
  const text = value.trim().toLowerCase()
  const isPartOfName = features.some(({ key, name }) => key.includes(text) || name.toLowerCase().includes(text))
  const hint = isPartOfName ? 'Choose a feature from the list.' : 'No feature has this name or key.'
  return (
    <>
      <TextField
        label="Feature"
        value={value}
        onChange={onChange}
        list={list}
        autoFocus
        placeholder="Name or key"
        hint={text !== '' && !findFeature(features, value) ? hint : undefined}
      />
      <datalist id={list}>
        {features.map(({ _id, key, name }) => (
          <option key={_id} value={key}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}

function findFeature(features: readonly Feature[], typed: string): Feature | undefined {
  const text = typed.trim().toLowerCase()
  return features.find(({ key, name }) => key === text || name.toLowerCase() === text)
}

function isOffIn({ configurations }: Feature, { _id }: Environment): boolean {
  return configurations.every(({ _environment, status }) => _environment !== _id || status !== 'active')
}
