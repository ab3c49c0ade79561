/** Marks rows of buttons, which notices must not cover. */
const ACTIONS = '[data-actions]'

const MARGIN = 16
const GAP = 8

/**
 * Returns the distance of the notices from the bottom of the window at which they cover none of the rows of buttons, and
 * nothing of a dialog that has room above. `box` is where the notices are.
 */
export function placeAboveActions(box: DOMRect): number {
  const dialog = document.querySelector('[data-modal]')?.getBoundingClientRect()
  if (dialog && dialog.top > box.height + GAP) return innerHeight - dialog.top + GAP
  const rows = [...document.querySelectorAll(ACTIONS)]
    .map((row) => row.getBoundingClientRect())
    .filter(({ width, left, right }) => width > 0 && left < box.right && right > box.left)
    .toSorted((one, other) => other.bottom - one.bottom)
  let bottom = innerHeight - MARGIN
  for (const row of rows) {
    if (row.top < bottom && row.bottom > bottom - box.height) bottom = row.top - GAP
  }
  return bottom > box.height ? innerHeight - bottom : MARGIN
}
