// Tags as a person writes them: a list with commas between, also those of other
// scripts. The program brings them into small letters.

/** The most characters of a tag. */
export const longestTag = 60;

/** The tags of a text, each once, with single spaces. */
export function tagsIn(text: string): string[] {
  const tags = text.split(/[,;،、，]/).map((tag) => tag.trim().replace(/\s+/g, ' '));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
