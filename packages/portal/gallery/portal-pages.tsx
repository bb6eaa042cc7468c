import { NoticePage } from '../src/notice-page.tsx'
import type { Group } from './scene.ts'

export const portalPages: Group = {
  name: 'Pages of the portal',
  scenes: [
    {
      name: 'Notice',
      draw: () => (
        <NoticePage
          title="Google sign-in is not set up"
          text="Whoever runs this server has not connected it to Google. Sign in another way."
          action={{ label: 'Back to sign-in', href: '#' }}
        />
      ),
    },
  ],
}
