import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useId, useRef, useState } from 'react'
import type { MenuOpening } from './menu/MenuPopup.tsx'

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

interface MenuButton {
  readonly id: string
  readonly isOpen: boolean
  readonly onOpen: (how: MenuOpening, button: HTMLElement) => void
}

/** The properties of a button that opens a menu by pointer, Enter, Space, and the arrows up and down. */
export function menuButton({ id, isOpen, onOpen }: MenuButton): ComponentProps<'button'> {
  return {
    id,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? popupId(id) : undefined,
    onPointerEnter: preloadMenus,
    onFocus: preloadMenus,
    onClick: ({ detail, currentTarget }) => {
      const how = detail === 0 ? 'keyboard' : 'pointer'
      if (code) onOpen(how, currentTarget)
      else
        load().then(
          () => onOpen(how, currentTarget),
          () => undefined
        )
    },
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      event.currentTarget.click()
    }
  }
}

function popupId(buttonId: string): string {
  return `${buttonId}-menu`
}

interface Props {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<ComponentProps<'button'>>
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/** A menu of actions or links. Until it opens first it is its button alone: the first page does not wait for the code of menus. */
export function Menu({ trigger, children, align = 'start' }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [openedBy, setOpenedBy] = useState<MenuOpening>()
  const [wasOpened, setWasOpened] = useState(false)
  const onOpen = (how: MenuOpening) => {
    setWasOpened(true)
    setOpenedBy(how)
  }
  return (
    <>
      {cloneElement(trigger, { ...menuButton({ id, isOpen: openedBy !== undefined, onOpen }), ref: button })}
      {wasOpened && (
        <MenuOf
          button={button}
          labelledBy={id}
          openedBy={openedBy}
          onClose={() => setOpenedBy(undefined)}
          align={align}
        >
          {children}
        </MenuOf>
      )}
    </>
  )
}

/** The menu of a button with `menuButton`. A list has one for the buttons of all rows. */
export function MenuOf(props: Omit<ComponentProps<Code['MenuPopup']>, 'id'>) {
  return code && <code.MenuPopup {...props} id={popupId(props.labelledBy)} />
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
