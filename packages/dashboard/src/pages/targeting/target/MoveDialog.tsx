import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Dialog, DialogButtons } from '../../../components/Dialog.tsx'
import { TextField } from '../../../components/Field.tsx'
import styles from '../Targeting.module.css'

interface Props {
  readonly name: string
  readonly index: number
  readonly count: number
  readonly onMove: (index: number) => void
  readonly onClose: () => void
}

/** Moves a target to a position by its number. */
export function MoveDialog({ name, index, count, onMove, onClose }: Props) {
  const [text, setText] = useState(String(index + 1))
  const position = Number(text)
  const isPosition = Number.isInteger(position) && position >= 1 && position <= count
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPosition) return
    onMove(position - 1)
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={`Move ${name}`}>
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextField
          label={`Position, from 1 to ${count}`}
          inputMode="numeric"
          value={text}
          onChange={setText}
          error={isPosition ? undefined : `enter a number from 1 to ${count}`}
          autoFocus
        />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Move
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
