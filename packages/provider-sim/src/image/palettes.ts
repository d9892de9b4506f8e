import { hex, type Color } from './canvas.ts'

/** The colors of a time of day. */
export interface Palette {
  /** From the top to the horizon. */
  readonly sky: readonly [Color, Color, Color]
  /** The sun or the moon. */
  readonly light: Color
  readonly cloud: Color
  /** The land, from the farthest layer to the nearest. */
  readonly far: Color
  readonly near: Color
  /** Lit windows and lamps. */
  readonly lamp: Color
  /** How clearly stars are seen, 0 to 1. */
  readonly stars: number
}

export type Hour = 'dawn' | 'day' | 'sunset' | 'night' | 'winter' | 'desert'

export const PALETTES: { readonly [hour in Hour]: Palette } = {
  dawn: {
    sky: [hex('#4a5f9e'), hex('#e8a5a8'), hex('#fde3c0')],
    light: hex('#fff3d6'),
    cloud: hex('#ffe9e2'),
    far: hex('#b48cab'),
    near: hex('#2e2a4f'),
    lamp: hex('#ffdf9e'),
    stars: 0.25,
  },
  day: {
    sky: [hex('#2f7fd0'), hex('#7cbcf0'), hex('#dff2fb')],
    light: hex('#fff8dc'),
    cloud: hex('#ffffff'),
    far: hex('#8fb9c9'),
    near: hex('#1f4d3a'),
    lamp: hex('#fff2b0'),
    stars: 0,
  },
  sunset: {
    sky: [hex('#2b1e5c'), hex('#c8456b'), hex('#ffb35c')],
    light: hex('#ffe9a8'),
    cloud: hex('#ff9d84'),
    far: hex('#a84e73'),
    near: hex('#1d1336'),
    lamp: hex('#ffd479'),
    stars: 0.35,
  },
  night: {
    sky: [hex('#060b26'), hex('#13245a'), hex('#36568f')],
    light: hex('#f4f1de'),
    cloud: hex('#3c578f'),
    far: hex('#27427a'),
    near: hex('#050817'),
    lamp: hex('#ffd97a'),
    stars: 1,
  },
  winter: {
    sky: [hex('#5b7fa8'), hex('#a9c6dc'), hex('#f1f5f8')],
    light: hex('#ffffff'),
    cloud: hex('#f7fbff'),
    far: hex('#93b0c9'),
    near: hex('#f4f8fb'),
    lamp: hex('#ffd98a'),
    stars: 0,
  },
  desert: {
    sky: [hex('#3f8fb5'), hex('#f0c98d'), hex('#fbe9c3')],
    light: hex('#fffbe6'),
    cloud: hex('#fff1d8'),
    far: hex('#e0a46c'),
    near: hex('#8a3f22'),
    lamp: hex('#ffe6a3'),
    stars: 0,
  },
}
