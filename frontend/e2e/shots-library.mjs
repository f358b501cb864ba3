// Pictures of what is asked and told in the library.
/** Another search model is named, 12 of 48 thousand passages have its vectors. */
const otherModel = (building) => (page) =>
  page.evaluate((now) => {
    window.mock.embedPlan = {
      from: 'Multilingual E5 small',
      to: 'EmbeddingGemma 300M',
      passages: 48310,
      done: 12077,
      seconds: 2400,
      building: now,
      sentence:
        'The settings name another search model. The old index serves until you have a new one built.',
    };
  }, building);

/** The library, narrowed to the files of one name. */
async function libraryOf(page, name) {
  await page.keyboard.press('Control+2');
  await page.getByRole('searchbox').fill(name);
  await page.getByText(name).first().waitFor();
  await page.waitForTimeout(100);
}

export const libraryShots = {
  '03-search-model': {
    async go(page) {
      await otherModel(false)(page);
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Build its index…' }).waitFor();
    },
  },
  '03-search-model-cost': {
    async go(page) {
      await otherModel(false)(page);
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Build its index…' }).click();
      await page.getByRole('button', { name: 'Build', exact: true }).waitFor();
    },
  },
  '03-search-model-building': {
    options: { indexing: true },
    async go(page) {
      await otherModel(true)(page);
      await page.keyboard.press('Control+2');
      await page.getByRole('progressbar', { name: /EmbeddingGemma/ }).waitFor();
    },
  },
  '03-recut': {
    async go(page) {
      await page.evaluate(() => {
        const sentence =
          '412 files were read by an earlier version. Reading them again takes about 9 min; until then they are found as before.';
        window.mock.recutPlan = { ...window.mock.recutPlan, files: 412, sentence };
      });
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Read them again' }).waitFor();
    },
  },
  '03-unlock': {
    async go(page) {
      await libraryOf(page, 'Settlement');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await page.evaluate(() => window.mock.finishUnlock());
      await page.getByRole('dialog').getByText('The password does not open this PDF.').waitFor();
    },
  },
  '03-unlock-italian': {
    context: { locale: 'it-IT' },
    async go(page) {
      await libraryOf(page, 'Settlement');
      await page.getByRole('button', { name: 'Sblocca' }).click();
      await page.getByLabel('Password').fill('segreta');
      await page.getByRole('switch').check({ force: true });
    },
  },
  '03-report': {
    async go(page) {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Reading times' }).click();
      await page.getByRole('table').waitFor();
    },
  },
  '03-encoding': {
    async go(page) {
      await libraryOf(page, 'Tenant chat');
      await page.getByRole('grid').focus();
      await page.keyboard.press('m');
      await page.getByRole('menuitem', { name: 'Encoding…' }).click();
      await page.getByRole('combobox', { name: /^Encoding: / }).click();
      // It lies above the dialog: what covers it would take the press.
      await page.getByRole('option', { name: /koi8-r/ }).click({ trial: true });
    },
  },
  '03-folder-menu': {
    async go(page) {
      await page.keyboard.press('Control+2');
      await page
        .getByRole('button', { name: /Handbooks/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^More for Handbooks/ }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  '03-holds': {
    async go(page) {
      await page.getByRole('button', { name: 'Notice period, open-ended lease', exact: true }).click();
      await page
        .getByRole('button', { name: /^How long it holds/ })
        .first()
        .click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
};
