import { createRoot } from 'react-dom/client'
import '@gatehouse/ui/layout/theme.css'
import './gallery.css'
import { languages } from 'gatehouse:languages'
import { pseudoTag } from '@gatehouse/language/pseudo.ts'
import { groups, idOf } from './scenes.ts'

const language = new URLSearchParams(window.location.search).get('lang') ?? 'en'
const frame = `frame.html?lang=${language}&scene=`

const variants = [
  { theme: 'light', size: 'phone' },
  { theme: 'dark', size: 'phone' },
  { theme: 'light', size: 'desktop' },
  { theme: 'dark', size: 'desktop' },
]

/** Every page in every state and every component, in two sizes and both themes. Frames load when they become visible. */
const Gallery = () => (
  <>
    <nav aria-label="Scenes">
      <h1>Gatehouse, all of it</h1>
      <select aria-label="Language" value={language} onChange={event => window.location.assign(`?lang=${event.target.value}`)}>
        {[...languages, { tag: pseudoTag, name: 'Pseudo-language' }].map(({ tag, name }) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </select>
      {groups.map(group => (
        <section key={group.name}>
          <h2>{group.name}</h2>
          {group.scenes.map(scene => (
            <a key={scene.name} href={`#${idOf(group, scene)}`}>
              {scene.name}
            </a>
          ))}
        </section>
      ))}
    </nav>
    <div className="scenes">
      {groups.map(group => (
        <section key={group.name}>
          <h2>{group.name}</h2>
          {group.scenes.map(scene => (
            <section key={scene.name} id={idOf(group, scene)}>
              <h3>
                <a href={`${frame}${idOf(group, scene)}`}>{scene.name}</a>
              </h3>
              <div className="sights">
                {variants.map(({ theme, size }) => (
                  <figure key={theme + size}>
                    <div className={`pane ${size}`}>
                      <iframe
                        loading="lazy"
                        title={`${group.name}, ${scene.name}, ${theme}, ${size}`}
                        src={`${frame}${idOf(group, scene)}&theme=${theme}`}
                      />
                    </div>
                    <figcaption>
                      {size}, {theme}
                    </figcaption>
                  </figure>
                ))}
              </div>
            </section>
          ))}
        </section>
      ))}
    </div>
  </>
)

const root = document.getElementById('gallery')
if (root) createRoot(root).render(<Gallery />)
