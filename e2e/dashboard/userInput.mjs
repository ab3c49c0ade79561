import assert from 'node:assert/strict'
import { eventually } from '../support.mjs'

/**
 * A person at a page who uses the pointer or the keyboard alone, so that a journey is written once. Counts the actions: a
 * click, a choice, typing into a field, a shortcut. Ways between controls are no actions.
 */
export function useInput(page, way) {
  const reach = way === 'keyboard' ? reachByKeyboard : (_, control) => control.scrollIntoViewIfNeeded()
  const act = (work) => async (control, text) => {
    input.actions++
    await work(control, text)
  }
  const input = {
    actions: 0,
    /** Presses a button, follows a link, picks an item of a menu, a radio button or a checkbox. */
    click: act(async (control) => {
      await control.first().waitFor()
      if (way === 'pointer') return control.click()
      await reach(page, control)
      await page.keyboard.press(await control.evaluate(keyThatActivates))
    }),
    /** Replaces the text of a field. */
    type: act(async (control, text) => {
      await reach(page, control)
      if (way === 'pointer') return control.fill(text)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    }),
    /** Chooses an option of a list by its words. */
    choose: act(async (control, words) => {
      await reach(page, control)
      if (way === 'pointer') await control.selectOption({ label: words })
      else await page.keyboard.type(words)
      // Some pages keep the choice in their address, which changes a moment later.
      await eventually(async () => {
        assert.equal(await control.evaluate((element) => element.selectedOptions[0].label), words)
      })
    }),
    /** Presses a shortcut, or a key where the focus is. */
    press: act((key) => page.keyboard.press(key)),
    /** Expects that the job took at most a number of actions. */
    assertWithin(limit) {
      assert.ok(input.actions <= limit, `it took ${input.actions} actions, and should take ${limit}`)
      input.actions = 0
    }
  }
  return input
}

/** Moves the focus to a control with Tab, and with arrows inside of menus and groups of radio buttons. */
async function reachByKeyboard(page, control) {
  await control.first().waitFor()
  const arrows = await control.evaluate((element) => element.matches('[role^="menuitem"]'))
  const visited = []
  for (let presses = 0; presses < 200; presses++) {
    // New data can replace the element meanwhile.
    const target = await control.elementHandle()
    const { isThere, place, problem } = await page.evaluate(lookAtFocus, target)
    assert.equal(problem, undefined, `${place}: ${problem}`)
    if (isThere) return
    assert.ok(
      visited.length < 9 || visited.slice(-9).some((before) => before !== place),
      `the focus is trapped: ${place}`
    )
    visited.push(place)
    await page.keyboard.press(arrows ? 'ArrowDown' : 'Tab')
  }
  assert.fail(`the keyboard does not reach ${control}; it reaches:\n${[...new Set(visited)].join('\n')}`)
}

/** Runs in the page: where the focus is, and whether it can be seen there. */
function lookAtFocus(target) {
  const focused = document.activeElement
  const place = focused.outerHTML.replace(/ (class|d|id|style)="[^"]*"/g, '').slice(0, 160)
  const isSameGroup = (name) => target.type === 'radio' && focused.type === 'radio' && focused.name === name
  const isThere = focused === target || isSameGroup(target.name)
  if (focused === document.body || focused.matches('main, [role=dialog], [role=menu], [data-base-ui-focus-guard]'))
    return { isThere, place }
  const { outlineStyle, outlineWidth } = getComputedStyle(focused)
  // The browser draws the focus inside of date fields itself.
  if (/^date/.test(focused.type)) return { isThere, place }
  const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  const ring = focused.closest(':focus-within:has(:focus-visible)')
  return { isThere, place, problem: isOutlined || ring ? undefined : 'the focus cannot be seen' }
}

/** Runs in the page: the key that activates a control. */
function keyThatActivates(element) {
  return element.matches('input, [role=switch]') ? ' ' : 'Enter'
}
