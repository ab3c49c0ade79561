import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId
} from 'react'
import styles from './Field.module.css'

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with the value, and what would be right. */
  readonly error?: string | undefined
  /** Hides the label visually where the place explains the control. */
  readonly isLabelHidden?: boolean
}

interface Described {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A control with its label, hint and error. The control gets the ids that connect them. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden,
  children
}: FieldProps & { readonly children: (props: Described) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {error && (
        <div id={`${id}-error`} className={styles.error}>
          {error}
        </div>
      )}
    </div>
  )
}

type TextProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
    readonly value: string
    readonly onChange: (value: string) => void
    /** Whether it is a key or another text of a machine. */
    readonly isCode?: boolean
  }

/** One line of text. */
export function TextField({ label, hint, error, isLabelHidden, isCode, onChange, className, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(isLabelHidden ? { isLabelHidden } : {})}>
      {(props) => (
        <input
          type="text"
          spellCheck={isCode ? false : undefined}
          autoComplete="off"
          {...rest}
          {...props}
          className={[styles.control, isCode && styles.code, className].filter(Boolean).join(' ')}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type AreaProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> & {
    readonly value: string
    readonly onChange: (value: string) => void
    readonly isCode?: boolean
    readonly ref?: Ref<HTMLTextAreaElement>
  }

/** Several lines of text; grows with them. */
export function TextAreaField({ label, hint, error, isLabelHidden, isCode, onChange, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(isLabelHidden ? { isLabelHidden } : {})}>
      {(props) => (
        <textarea
          rows={3}
          spellCheck={isCode ? false : undefined}
          {...rest}
          {...props}
          className={[styles.control, styles.area, isCode && styles.code].filter(Boolean).join(' ')}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type SelectProps<Value extends string> = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> & {
    readonly value: Value
    readonly options: readonly SelectOption<Value>[]
    readonly onChange: (value: Value) => void
  }

interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
  /** The heading above the option and its neighbours with the same one. */
  readonly group?: string
}

/** One of a few values. The browser's own control, which phones show in their own way. */
export function SelectField<Value extends string>({
  label,
  hint,
  error,
  isLabelHidden,
  options,
  onChange,
  ...rest
}: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error} {...(isLabelHidden ? { isLabelHidden } : {})}>
      {(props) => (
        <span className={styles.select}>
          <select
            {...rest}
            {...props}
            className={styles.control}
            onChange={({ target }) => {
              const chosen = options.find(({ value }) => value === target.value)
              if (chosen) onChange(chosen.value)
            }}
          >
            {grouped(options).map(([group, members]) =>
              group === undefined ? (
                members.map(toOption)
              ) : (
                <optgroup key={group} label={group}>
                  {members.map(toOption)}
                </optgroup>
              )
            )}
          </select>
        </span>
      )}
    </Field>
  )
}

function toOption({ value, label }: SelectOption<string>) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  )
}

/** Options by their group, in the order in which groups appear. */
function grouped(options: readonly SelectOption<string>[]) {
  const groups = new Map<string | undefined, SelectOption<string>[]>()
  for (const option of options) groups.set(option.group, [...(groups.get(option.group) ?? []), option])
  return [...groups]
}

interface CheckProps {
  readonly label: ReactNode
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly hint?: ReactNode
  readonly isDisabled?: boolean
}

/** A checkbox with its words. */
export function CheckField({ label, isChecked, onChange, hint, isDisabled }: CheckProps) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  )
}
