import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { dateFormat } from '../../preferences/dateFormat.ts'
import { shownTimeZone } from '../../preferences/preferences.ts'
import { DASHES } from './LineLegend.tsx'
import styles from './TimeLine.module.css'

/** A line of values over time. */
interface Line {
  /** A CSS colour: the name of a custom property in `var()`. */
  readonly color: string
  /** One for each date; `null` where there is none. */
  readonly values: readonly (number | null)[]
}

interface Props {
  /** The starts of periods in order. */
  readonly dates: readonly string[]
  readonly lines: readonly Line[]
  /** The text alternative of the chart. */
  readonly label: string
  /** How values are written; counts as they are. */
  readonly format?: (value: number) => string
  /** Whether dates are days of UTC, which have no time. */
  readonly isByDay?: boolean
}

const HEIGHT = 280
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/** Lines of values over time, each with its own dashes. Loads uPlot, so pages import it lazily. */
export function TimeLine({ dates, lines, label, format, isByDay = false }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const data: uPlot.AlignedData = [
      dates.map((date) => Date.parse(date) / 1000),
      ...lines.map(({ values }) => [...values])
    ]
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      plot = new uPlot(optionsOf(element, { lines, format, isByDay }), data, element)
    }
    draw()
    const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }))
    sizes.observe(element)
    const themes = new MutationObserver(draw)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    return () => {
      sizes.disconnect()
      themes.disconnect()
      scheme.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [dates, lines, format, isByDay])
  return <div ref={box} role="img" aria-label={label} className={styles.chart} />
}

interface Options {
  readonly lines: readonly Line[]
  readonly format: ((value: number) => string) | undefined
  readonly isByDay: boolean
}

/** A canvas does not support custom properties, so colours are read when it is drawn. */
function optionsOf(element: HTMLElement, { lines, format, isByDay }: Options): uPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const [soft, grid] = [color('--soft'), color('--line')]
  const axis = { stroke: soft, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    // Ticks are at full hours and days of the chosen zone.
    tzDate: (time) => uPlot.tzDate(new Date(time * 1000), isByDay ? 'UTC' : shownTimeZone()),
    legend: { show: false },
    cursor: { show: false },
    scales: {
      y: {
        range: (_, lowest, highest) => [Math.min(0, lowest * 1.08), Math.max(format ? 1e-6 : 1, highest * 1.08)]
      }
    },
    axes: [
      {
        ...axis,
        values: (_, times) => times.map(isByDay ? (time) => utcDay.format(time * 1000) : formatTime),
        ...(isByDay ? { incrs: [1, 2, 7, 14, 28, 56, 112].map((days) => days * 86_400) } : {})
      },
      {
        ...axis,
        size: 64,
        ...(format ? { values: (_, values) => values.map(format) } : { incrs: COUNTS })
      }
    ],
    series: [
      {},
      ...lines.map((line, index) => {
        const stroke = color(line.color.slice('var('.length, -1))
        const dash = [...(DASHES[index % DASHES.length] ?? [])]
        return { stroke, width: 2, dash, spanGaps: true, points: { show: true, size: 5, fill: stroke } }
      })
    ]
  }
}

const utcDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const date = dateFormat({ day: 'numeric', month: 'short' })
const hour = dateFormat({ hour: '2-digit', minute: '2-digit' })

/** The hour; at midnight the day. `time` is in seconds. */
function formatTime(time: number): string {
  const text = hour(time * 1000)
  return text.startsWith('00:') ? date(time * 1000) : text
}
