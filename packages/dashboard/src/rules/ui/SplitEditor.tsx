import type { Variation } from '@burgee/contract/schemas'
import { Pin, X } from 'lucide-react'
import { Button, IconButton } from '../../components/Button.tsx'
import { SelectField } from '../../components/Field.tsx'
import {
  limitMessage,
  type Split,
  type SplitAction,
  type SplitRow,
  shareLimit,
  shareText,
  soleVariation
} from '../split.ts'
import { PercentField } from './PercentField.tsx'
import { Segments } from './Segments.tsx'
import styles from './Serve.module.css'

export interface SplitProps {
  readonly split: Split
  readonly dispatch: (action: SplitAction, group?: string) => void
  readonly variations: readonly Pick<Variation, '_id' | 'key' | 'name'>[]
  /** A CSS colour for each variation, by key. */
  readonly colors: ReadonlyMap<string, string>
  /** Whether the feature is on in the environment, so that a variation is added with 0%. */
  readonly isOn: boolean
  readonly error?: string | undefined
}

/** Which variation the users of a target get: one, or several with shares. */
export function SplitEditor(props: SplitProps) {
  const { split, dispatch, variations, isOn } = props
  const isSplit = split.rows.length > 1
  const choose = (form: 'one' | 'split') => {
    if (form === 'one') return dispatch({ type: 'serve', variation: largest(split) })
    const other = variations.find((variation) => !isServed(split, variation))
    if (other) dispatch({ type: 'add', variation: other._id, isOn })
  }
  return (
    <div className={styles.serve}>
      <Segments
        label="What is served"
        value={isSplit ? 'split' : 'one'}
        options={[
          { value: 'one', label: 'one variation' },
          { value: 'split', label: 'a split' }
        ]}
        onChange={choose}
      />
      {isSplit ? <Shares {...props} /> : <OneVariation {...props} />}
    </div>
  )
}

function OneVariation({ split, dispatch, variations, error }: SplitProps) {
  const served = split.rows[0]?.variation ?? ''
  const current = variations.find((variation) => refersTo(served, variation))
  const options = variations.map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <div className={styles.one}>
      <SelectField
        label="Variation"
        isLabelHidden
        value={current?._id ?? served}
        options={current ? options : [{ value: served, label: served || 'Choose a variation…' }, ...options]}
        onChange={(variation) => dispatch({ type: 'serve', variation })}
        error={error ?? (current || served === '' ? undefined : 'this variation no longer exists')}
      />
    </div>
  )
}

function Shares(props: SplitProps) {
  const { split, dispatch, variations, colors, isOn, error } = props
  const nameOf = nameIn(variations)
  const others = variations.filter((variation) => !isServed(split, variation))
  return (
    <div className={styles.shares}>
      <div className={styles.bar} aria-hidden="true">
        {split.rows.map((row) => (
          <span
            key={row.variation}
            style={{
              inlineSize: `${row.hundredths / 100}%`,
              background: colorOf(row.variation, { variations, colors })
            }}
          />
        ))}
      </div>
      <ul className={styles.rows}>
        {split.rows.map((row) => (
          <ShareRow key={row.variation} {...props} row={row} nameOf={nameOf} />
        ))}
      </ul>
      {split.isScaled && <p className={styles.note}>The stored shares did not add up to 100%, so they were scaled.</p>}
      {error && <p className={styles.error}>{error}</p>}
      <div className={styles.actions}>
        <Button kind="quiet" onClick={() => dispatch({ type: 'even' })}>
          Distribute evenly
        </Button>
        {others.length > 0 && (
          <SelectField
            label="Add a variation"
            isLabelHidden
            value=""
            options={[
              { value: '', label: 'Add a variation…' },
              ...others.map(({ _id, name }) => ({ value: _id, label: name }))
            ]}
            onChange={(variation) => variation && dispatch({ type: 'add', variation, isOn })}
          />
        )}
      </div>
    </div>
  )
}

interface RowProps extends SplitProps {
  readonly row: SplitRow
  readonly nameOf: (variation: string) => string
}

/** The share of one variation. The balancing one takes what the others leave, so its share is shown only. */
function ShareRow({ row, split, dispatch, variations, colors, nameOf }: RowProps) {
  const { variation, hundredths } = row
  const name = nameOf(variation)
  const isBalancing = split.balancing === variation
  const set = (next: number) => dispatch({ type: 'set', variation, hundredths: next }, `share ${variation}`)
  return (
    <li className={styles.share}>
      <span
        className={styles.swatch}
        style={{ background: colorOf(variation, { variations, colors }) }}
        aria-hidden="true"
      />
      <bdi className={styles.name}>{name}</bdi>
      {isBalancing ? (
        <>
          <span className={styles.rest}>remainder</span>
          <output className={styles.output}>{shareText(row)}%</output>
        </>
      ) : (
        <>
          <input
            type="range"
            min={0}
            max={10_000}
            step={100}
            value={hundredths}
            aria-label={`Share of ${name}`}
            aria-valuetext={`${shareText(row)}%`}
            className={styles.slider}
            onChange={({ target }) => set(Math.min(Number(target.value), shareLimit(split, variation)))}
          />
          <PercentField
            label={`Share of ${name}`}
            isLabelHidden
            hundredths={hundredths}
            text={shareText(row)}
            onChange={set}
            refusalOf={(next) => limitMessage(split, variation, next, nameOf)}
          />
        </>
      )}
      <span className={styles.rowButtons}>
        <IconButton
          label={`${name} gets the remainder`}
          aria-pressed={isBalancing}
          className={isBalancing ? styles.pinned : undefined}
          onClick={() => dispatch({ type: 'balance', variation })}
        >
          <Pin size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label={`Remove ${name}`} onClick={() => dispatch({ type: 'remove', variation })}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  )
}

function colorOf(reference: string, { variations, colors }: Pick<SplitProps, 'variations' | 'colors'>): string {
  const key = variations.find((variation) => refersTo(reference, variation))?.key
  return (key === undefined ? undefined : colors.get(key)) ?? 'var(--edge)'
}

function nameIn(variations: SplitProps['variations']): (reference: string) => string {
  return (reference) => variations.find((variation) => refersTo(reference, variation))?.name ?? reference
}

function isServed({ rows }: Split, variation: SplitProps['variations'][number]): boolean {
  return rows.some((row) => refersTo(row.variation, variation))
}

function refersTo(reference: string, { _id, key }: SplitProps['variations'][number]): boolean {
  return reference === _id || reference === key
}

/** The variation that stays when a split becomes one variation. */
function largest(split: Split): string {
  const [first] = split.rows.toSorted((one, other) => other.hundredths - one.hundredths)
  return soleVariation(split) ?? first?.variation ?? ''
}
