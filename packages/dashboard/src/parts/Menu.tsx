import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useId, useRef, useState } from 'react'

type Code = typeof import('./menu/MenuPopup.tsx')

/** What is inside of menus, as soon as it is loaded. Nothing renders it before. */
let code: Code | undefined

async function load(): Promise<void> {
  code ??= await import('./menu/MenuPopup.tsx')
}

/** Loads before a button is pressed. After a failure, pressing it loads again, and the page says what is wrong. */
export function preloadMenus(): void {
  load().catch(() => undefined)
}

interface Props {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<ComponentProps<'button'>>
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/**
 * A menu of actions or links. Until it opens first it is its button alone: a list has one in each row, and the first page
 * does not wait for the code of menus.
 */
export function Menu({ trigger, children, align = 'start' }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [openedBy, setOpenedBy] = useState<'pointer' | 'keyboard'>()
  const [wasOpened, setWasOpened] = useState(false)
  const open = (how: 'pointer' | 'keyboard') => {
    setWasOpened(true)
    setOpenedBy(how)
  }
  const props: ComponentProps<'button'> = {
    id,
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': openedBy !== undefined,
    onPointerEnter: preloadMenus,
    onFocus: preloadMenus,
    onClick: ({ detail }) => {
      const how = detail === 0 ? 'keyboard' : 'pointer'
      if (code) open(how)
      else
        load().then(
          () => open(how),
          () => undefined
        )
    },
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      event.currentTarget.click()
    }
  }
  return (
    <>
      {cloneElement(trigger, props)}
      {wasOpened && code && (
        <code.MenuPopup
          button={button}
          labelledBy={id}
          openedBy={openedBy}
          onClose={() => setOpenedBy(undefined)}
          align={align}
        >
          {children}
        </code.MenuPopup>
      )}
    </>
  )
}

export function MenuItem(props: ComponentProps<Code['PopupItem']>) {
  return code && <code.PopupItem {...props} />
}

export function MenuSeparator() {
  return code && <code.PopupSeparator />
}

/** A heading for the items after it. */
export function MenuHeading(props: ComponentProps<Code['PopupHeading']>) {
  return code && <code.PopupHeading {...props} />
}
